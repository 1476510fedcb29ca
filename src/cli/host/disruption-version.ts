import type { KubeClient } from '../../client/contract.ts'

export type DisruptionVersion = 'policy/v1' | 'policy/v1beta1'

/** The version in which a cluster serves PodDisruptionBudgets. `policy/v1` came with Kubernetes 1.21. */
export async function disruptionVersionOf(
  { served }: Pick<KubeClient, 'served'>,
  signal?: AbortSignal,
): Promise<DisruptionVersion> {
  const budget = await served.findKind('policy/v1', 'PodDisruptionBudget', signal)
  return budget === undefined ? 'policy/v1beta1' : 'policy/v1'
}
