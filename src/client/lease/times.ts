import type { ElectionTimes } from './contract.ts'

/** Two thirds of the lease to renew it, with several attempts in that time: the proportions of Kubernetes. */
export function electionTimes(leaseSeconds: number): ElectionTimes {
  return { leaseSeconds, holdSeconds: (leaseSeconds * 2) / 3, retrySeconds: (leaseSeconds * 2) / 15 }
}
