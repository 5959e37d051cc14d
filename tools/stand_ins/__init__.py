"""Build stand-ins for base images, for machines that can reach package registries but no image registry."""
