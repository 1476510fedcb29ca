const image = 'busybox:1'
const waits = ['sh', '-c', 'exec sleep 100000']

/** A Pod that no node accepts: only the way to the host and back is measured. */
export function waitingPod(name: string): object {
  return pod(name, { nodeSelector: { 'example.com/there': 'none' }, containers: [{ name: 'main', image }] })
}

/** The same without a token, and therefore without a Secret that must be on the host before it. */
export function tokenlessPod(name: string): object {
  return pod(name, {
    nodeSelector: { 'example.com/there': 'none' },
    containers: [{ name: 'main', image }],
    automountServiceAccountToken: false,
  })
}

/** A Pod that requests more than a host with limits allows. */
export function greedyPod(name: string): object {
  return pod(name, {
    containers: [{ name: 'main', image, resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } }],
  })
}

/** A Pod that runs a script. */
export function runningPod(name: string, script: string): object {
  return pod(name, { containers: [{ name: 'main', image, command: ['sh', '-c', script] }] })
}

function pod(name: string, spec: object): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { terminationGracePeriodSeconds: 0, ...spec } }
}

export function deployment(name: string, replicas: number): object {
  const labels = { app: name }
  const containers = [{ name: 'main', image, command: waits }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers } },
    },
  }
}
