import type { WriteRequest } from '../contract.ts'

/** The field manager for fields that controllers of Kubernetes write. */
const controllerManager = 'kube-controller-manager'
/** The same for what kube-apiserver writes. */
const serverManager = 'kube-apiserver'

/** A write by a controller that Kubernetes has too. */
export function controllerRequest(manager: string, signal: AbortSignal, subresource = ''): WriteRequest {
  return { ...systemRequest(manager, signal, subresource), fieldManager: controllerManager }
}

/** A write by what kube-apiserver itself does. */
export function serverRequest(manager: string, signal: AbortSignal, subresource = ''): WriteRequest {
  return { ...systemRequest(manager, signal, subresource), fieldManager: serverManager }
}

/** A write by the engine itself: trusted, and named in managedFields. */
export function systemRequest(manager: string, signal: AbortSignal, subresource = ''): WriteRequest {
  return {
    user: { name: `system:controller:${manager}`, groups: ['system:masters', 'system:authenticated'] },
    subresource,
    fieldManager: manager,
    fieldValidation: 'Ignore',
    dryRun: false,
    signal,
    isInternal: true,
    warn: () => {},
    ignoresWarnings: true,
    authorize: () => ({ verdict: 'allow', reason: '' }),
  }
}
