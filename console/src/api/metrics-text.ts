import type { QueryClient } from '@tanstack/react-query'
import { requireReadable } from './readable.ts'
import { askTenantText } from './tenant-answer.ts'

const path = '/metrics'

/** The metrics of a virtual cluster, or of the platform if the place is empty. */
export async function metricsOf(client: QueryClient, place: string): Promise<string> {
  await requireReadable(client, { place, path })
  return askTenantText(`${place}${path}`)
}
