/** A user that no image has, so that nothing belongs to it by accident. */
const userId = 65_532

/** For tenants and the platform alike. */
export const hardenedPod = {
  runAsNonRoot: true,
  runAsUser: userId,
  runAsGroup: userId,
  fsGroup: userId,
  seccompProfile: { type: 'RuntimeDefault' },
}

export const hardenedContainer = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

/** For a server whose port is called `https`. */
export const serverProbes = {
  readinessProbe: { httpGet: probe('/readyz'), periodSeconds: 2, failureThreshold: 3 },
  livenessProbe: { httpGet: probe('/livez'), initialDelaySeconds: 30, periodSeconds: 10, failureThreshold: 6 },
}

function probe(path: string) {
  return { path, port: 'https', scheme: 'HTTPS' }
}
