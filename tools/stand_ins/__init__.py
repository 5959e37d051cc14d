"""Stand-ins for base images, where registries of images cannot be reached but those of packages can."""
