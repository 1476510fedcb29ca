import { nameOf, projectOf, type VirtualCluster } from '../api/objects.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Panel } from '../parts/panel.tsx'
import { proxyPath } from './sync-state.ts'

export function ConnectTab({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const [name, project] = [nameOf(virtualCluster), projectOf(virtualCluster)]
  const { origin } = window.location
  return (
    <div className="grid min-w-0 gap-4">
      <Panel title="With the tenant command">
        <CodeBlock
          label="Connect with the tenant command"
          text={[
            `tenant platform login ${origin}`,
            `tenant connect ${name} --project ${project}`,
            'kubectl get namespaces',
          ].join('\n')}
        />
      </Panel>
      <Panel title="With plain kubectl">
        <CodeBlock
          label="Connect with plain kubectl"
          text={[
            `kubectl config set-cluster ${name} --server=${origin}${proxyPath(virtualCluster, '')} --certificate-authority=ca.crt`,
            `kubectl config set-credentials platform --token="$TENANT_ACCESS_KEY"`,
            `kubectl config set-context ${name} --cluster=${name} --user=platform`,
            `kubectl --context ${name} get namespaces`,
          ].join('\n')}
        />
        <p className="mt-2 text-muted">
          The key needs to reach this virtual cluster: pick it in the scope, or the project as a whole. The file{' '}
          <code>ca.crt</code> holds the authority that signed the certificate of the platform; <code>tenant up</code>{' '}
          keeps it in <code>~/.tenant/data/pki</code>. Leave the option out if this machine trusts that authority
          anyway.
        </p>
      </Panel>
    </div>
  )
}
