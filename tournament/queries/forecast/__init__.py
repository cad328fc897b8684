"""The likely end of an event, from the rows of the event to the words of the page."""
