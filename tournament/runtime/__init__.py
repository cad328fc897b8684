"""Process-wide services: errors, the queue, publishing, snapshot reads, rate limits, database faults and images."""
