import type { Kind } from '../kind.ts'
import { priorityClass } from './priority-class.ts'

export function schedulingKinds(): readonly Kind[] {
  return [priorityClass]
}
