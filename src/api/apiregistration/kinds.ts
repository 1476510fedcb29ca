import type { Kind } from '../kind.ts'
import { apiService } from './api-service.ts'

export function apiregistrationKinds(): readonly Kind[] {
  return [apiService]
}
