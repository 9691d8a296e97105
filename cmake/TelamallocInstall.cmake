# Install rules, export set and package config.
