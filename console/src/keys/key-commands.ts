import { printYaml } from '../yaml/print.ts'

export interface ReadyCommand {
  readonly id: string
  readonly label: string
  readonly text: string
}

/** Commands for using a key. The value is passed in the environment, so that it stays out of the process list. */
export function keyCommands(origin: string, value: string): readonly ReadyCommand[] {
  const given = `export TENANT_ACCESS_KEY='${value}'`
  return [
    {
      id: 'cli',
      label: 'CLI',
      text: `${given}\ntenant platform login ${origin}\ntenant platform whoami`,
    },
    {
      id: 'kubectl',
      label: 'kubectl',
      text: [
        given,
        `kubectl config set-cluster platform --server=${origin} --certificate-authority=ca.crt`,
        'kubectl config set-credentials platform --token="$TENANT_ACCESS_KEY"',
        'kubectl config set-context platform --cluster=platform --user=platform',
        'kubectl --context platform get ownedaccesskeys',
      ].join('\n'),
    },
    {
      id: 'curl',
      label: 'curl',
      text: [
        given,
        `printf 'header = "Authorization: Bearer %s"' "$TENANT_ACCESS_KEY" |`,
        `  curl --cacert ca.crt --config - ${origin}/version`,
      ].join('\n'),
    },
    {
      id: 'ci',
      label: 'CI',
      text: [
        '# Store the key as a masked variable TENANT_ACCESS_KEY of the pipeline, then:',
        `tenant platform login ${origin}`,
        'tenant create --upgrade my-cluster -f tenant.yaml --project default',
      ].join('\n'),
    },
  ]
}

/** The Secret from which virtual clusters take a shared key. */
export function secretManifest(host: string, accessKey: string): string {
  return printYaml({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tenant-platform-api-key', namespace: 'tenant-platform' },
    type: 'Opaque',
    stringData: { accessKey, host },
  })
}
