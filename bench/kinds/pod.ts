import { deploymentOf, namespace } from './deployment.ts'

export const podsPath = `/api/v1/namespaces/${namespace}/pods`

/** A Pod with one container and a few settings, as created by its controller. About 2 KB when stored. */
export function pod(name: string): string {
  const { metadata, spec } = deploymentOf(name).spec.template
  const [container] = spec.containers
  const env = container?.env.slice(0, 4)
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: metadata.labels },
    spec: { automountServiceAccountToken: false, containers: [{ ...container, env, volumeMounts: [] }] },
  })
}
