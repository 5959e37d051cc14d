# Debian with what its package manager needs here: certificates of the machine that builds.
FROM stand-in/root
COPY certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt PIP_CERT=/etc/ssl/certs/ca-certificates.crt
