export const createExamples = `
The server sends everything that it stores as it is at one revision, while others go on writing. The backup is encrypted
here, with a key that no server has, read back and compared before it gets its name. Needs the right to get /backup, which
administrators have. S3: credentials, region and AWS_ENDPOINT_URL come from the environment.

Examples:
  openssl rand -base64 32 > backup.key
  tenant backup create --to /var/backups/tenant --key backup.key
  tenant backup create --virtual-cluster web -p shop --to s3://backups/shop --key backup.key --keep 7
  tenant backup create --context tenant_demo --to ./backups --key backup.key -o name
`

export const listExamples = `
Needs no key: what is listed stands in front of the encrypted part.

Examples:
  tenant backup list --from /var/backups/tenant
  tenant backup list --from s3://backups/shop -o json | jq -r '.items[] | select(.state == "failed").failure.message'
`

export const verifyExamples = `
Examples:
  tenant backup verify platform-20261116T030000Z-3f9a1c --from /var/backups/tenant --key backup.key
`

export const restoreExamples = `
With --store everything is restored, into an empty store with no server on it; start the server with that store afterward.
It must be a backup of the platform, or of the --virtual-cluster or --context that is named.
Keys that were revoked since the backup do not come back: the platform that you are logged in to is asked if it is the
one of the backup, or --revocations lists them; without either, every access key is disabled until you enable it.

With --namespace or --object the objects are made through the API of the cluster, with your rights. Objects that are there
stay as they are, and what controllers make is left to them.

Examples:
  tenant backup restore platform-20261116T030000Z-3f9a1c --from ./backups --key backup.key --store file:/var/lib/tenant/new
  tenant backup restore NAME --from ./backups --key backup.key --store etcd:http://10.0.0.1:2379 --revocations revoked.txt
  tenant backup restore NAME --from ./backups --key backup.key --virtual-cluster web -p shop --store file:/data/new
  tenant backup restore NAME --from ./backups --key backup.key --virtual-cluster web -p shop -n default
  tenant backup restore NAME --from ./backups --key backup.key --context tenant_demo -n default --object configmaps/app
`

export const scheduleExamples = `
A process of its own, to be kept running by systemd or a Deployment: the key stays away from the servers. Instead, a
CronJob can run tenant backup create --keep. A run that fails is listed, counted in /metrics, and followed by the next one
at its time. Exits with 1 if the last run failed.

Examples:
  tenant backup schedule '0 3 * * *' --to /var/backups/tenant --key backup.key --keep 14
  tenant backup schedule @hourly --virtual-cluster web -p shop --to s3://backups/shop --key backup.key --keep-days 30 --metrics-port 9090
`
