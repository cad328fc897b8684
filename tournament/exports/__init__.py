"""Files to take away: standings and results as CSV, XLSX and JSON, a bracket as SVG. Makes bytes; never writes rows."""
