import type { EffectiveConfig } from '../../../src/api/tenant-config/types.ts'
import type { Management } from '../api/management.ts'
import { ask } from '../api/request.ts'
import type { JsonSchema } from '../editor/json-schema.ts'

export interface ConfigProblem {
  readonly severity: 'error' | 'warning'
  readonly line: number
  readonly column: number
  readonly length: number
  readonly field: string
  readonly message: string
  readonly suggestion?: string
}

export interface ConfigReview {
  readonly valid: boolean
  readonly problems: readonly ConfigProblem[]
  readonly config?: EffectiveConfig
  readonly schema?: JsonSchema
}

interface ReviewOptions {
  readonly checkRoundTrips?: boolean
  readonly includeSchema?: boolean
}

/** The platform checks a configuration as the tenant itself would. */
export async function reviewConfig(
  management: Management,
  config: string,
  options: ReviewOptions = {},
): Promise<ConfigReview> {
  const body = { apiVersion: management.apiVersion, kind: 'TenantConfigReview', spec: { config, ...options } }
  const path = management.path('tenantconfigreviews')
  return (await ask<{ readonly status: ConfigReview }>(path, { method: 'POST', body })).status
}
