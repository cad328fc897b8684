"""Rubbish for the API: what the OpenAPI document allows and what it forbids, sent by everybody who could come by."""
