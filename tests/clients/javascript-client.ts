import { ApiException, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node'

export function configOf(kubeconfig: string): KubeConfig {
  const config = new KubeConfig()
  config.loadFromString(kubeconfig)
  return config
}

/** The client sends JSON patches by default. */
export const asMergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
export const asStrategicPatch = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch)
export const asApply = setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply)

export interface Refusal {
  readonly code: number
  /** The Status in the body. */
  readonly status: unknown
}

/** How the client represents an answer that is not a success. */
export async function refusalOf(request: Promise<unknown>): Promise<Refusal> {
  try {
    return { code: 200, status: await request }
  } catch (error) {
    if (!(error instanceof ApiException)) throw error
    return { code: error.code, status: typeof error.body === 'string' ? JSON.parse(error.body) : error.body }
  }
}
