"""Creates files to download: standings and results as CSV, XLSX and JSON, and brackets as SVG. Never writes rows."""
