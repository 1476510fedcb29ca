import type { SyncKind } from '../contract.ts'
import { genericSync } from './generic.ts'

export const networkPoliciesSync: SyncKind = genericSync('networkPolicies', 'networking.k8s.io', 'networkpolicies')
