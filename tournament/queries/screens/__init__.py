"""What a big screen shows, slide by slide: made so that no slide has more lines than can be read at ten metres."""
