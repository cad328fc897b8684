"""Sends generated requests, allowed and forbidden by the OpenAPI document, in every role; checks every answer."""
