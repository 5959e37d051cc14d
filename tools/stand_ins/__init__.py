"""Build stand-ins for base images, for machines that reach package registries but no image registries."""
