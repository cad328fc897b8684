"""What holds for every test. Fixtures live in the rooms that need them."""

from hypothesis import HealthCheck, settings

# A busy machine is no fault of the product: nothing here is measured by the clock.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
