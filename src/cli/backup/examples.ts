export const createExamples = `
The server sends everything that it stores, as of one revision, while clients continue to write. This command encrypts the
backup with a key that no server has, reads it back and compares it, and only then gives it its name. You need the right to
get /backup, which administrators have. For S3, credentials, region and AWS_ENDPOINT_URL come from the environment.

Examples:
  openssl rand -base64 32 > backup.key
  tenant backup create --to /var/backups/tenant --key backup.key
  tenant backup create --virtual-cluster web -p shop --to s3://backups/shop --key backup.key --keep 7
  tenant backup create --context tenant_demo --to ./backups --key backup.key -o name
`

export const listExamples = `
Needs no key: the listed values are in the unencrypted header of each backup.

Examples:
  tenant backup list --from /var/backups/tenant
  tenant backup list --from s3://backups/shop -o json | jq -r '.items[] | select(.state == "failed").failure.message'
`

export const verifyExamples = `
Examples:
  tenant backup verify platform-20261116T030000Z-3f9a1c --from /var/backups/tenant --key backup.key
`

export const restoreExamples = `
With --store, everything is restored into an empty store that no server uses; start the server with that store afterward.
It must be a backup of the platform, or of the cluster that --virtual-cluster or --context names.
Keys that were revoked since the backup stay revoked: the command asks the platform that you are logged in to, if the backup
is of that platform, or --revocations lists the keys. Without either, every access key is disabled until you enable it.

With --namespace or --object, the objects are created through the API of the cluster, with your rights. Existing objects
stay unchanged, and objects of controllers are left to their controllers.

Examples:
  tenant backup restore platform-20261116T030000Z-3f9a1c --from ./backups --key backup.key --store file:/var/lib/tenant/new
  tenant backup restore NAME --from ./backups --key backup.key --store etcd:http://10.0.0.1:2379 --revocations revoked.txt
  tenant backup restore NAME --from ./backups --key backup.key --virtual-cluster web -p shop --store file:/data/new
  tenant backup restore NAME --from ./backups --key backup.key --virtual-cluster web -p shop -n default
  tenant backup restore NAME --from ./backups --key backup.key --context tenant_demo -n default --object configmaps/app
`

export const scheduleExamples = `
Run this as a separate process, by systemd or a Deployment, so that the servers do not have the backup key. A CronJob that runs
tenant backup create --keep works as well. A failed run is listed and counted in /metrics; the next run starts at its
scheduled time. Exits with 1 if the last run failed.

Examples:
  tenant backup schedule '0 3 * * *' --to /var/backups/tenant --key backup.key --keep 14
  tenant backup schedule @hourly --virtual-cluster web -p shop --to s3://backups/shop --key backup.key --keep-days 30 --metrics-port 9090
`
