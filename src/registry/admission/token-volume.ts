import type { Container, Pod, Volume } from '../../api/types/core-v1.ts'
import { withSpec } from './pods.ts'

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const tokenSeconds = 3607
const fileMode = 0o644

/** The prefix of token volumes, followed by five random characters. */
export const tokenVolumePrefix = 'kube-api-access-'

/** Mounts a volume with the account's token into every container that has no mount at that path. */
export function withTokenVolume(pod: Pod, name: string): Pod {
  const { containers, initContainers, volumes = [] } = pod.spec
  const everywhere = [...(containers ?? []), ...(initContainers ?? [])]
  if (everywhere.every(hasMount)) return pod
  const mounted = (container: Container) => (hasMount(container) ? container : withMount(container, name))
  return withSpec(pod, {
    containers: containers?.map(mounted) ?? null,
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(mounted) }),
    volumes: [...volumes, tokenVolume(name)],
  })
}

function hasMount({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some((mount) => mount.mountPath === mountPath)
}

function withMount(container: Container, name: string): Container {
  return { ...container, volumeMounts: [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }] }
}

function tokenVolume(name: string): Volume {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' }
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
      ],
      defaultMode: fileMode,
    },
  }
}
