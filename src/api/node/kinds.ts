import type { Kind } from '../kind.ts'
import { runtimeClass } from './runtime-class.ts'

export function nodeKinds(): readonly Kind[] {
  return [runtimeClass]
}
