"""Files for monitoring: points list, Prometheus alert rules, Grafana dashboard."""
