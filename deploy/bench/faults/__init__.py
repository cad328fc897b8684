"""An event whose parts are killed, stopped, cut off, filled up and put back while it is played; and what is counted.

Never on an installation that anybody uses: database and broker are started for this alone.
"""
