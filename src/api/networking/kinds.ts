import type { Kind } from '../kind.ts'
import { ingress } from './ingress.ts'
import { ingressClass } from './ingress-class.ts'
import { networkPolicy } from './network-policy.ts'

export function networkingKinds(): readonly Kind[] {
  return [ingressClass, ingress, networkPolicy]
}
