import type { Management } from '../api/management.ts'
import { ask } from '../api/request.ts'

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

export interface PatchText {
  readonly path: string
  readonly expression?: string
  readonly reverseExpression?: string
  readonly reference?: Readonly<Record<string, unknown>>
  readonly labels?: unknown
}

interface KindConfig {
  readonly enabled?: boolean
  readonly patches?: readonly PatchText[]
}

export interface EffectiveConfig {
  readonly sync?: {
    readonly toHost?: Readonly<Record<string, KindConfig>>
    readonly fromHost?: Readonly<Record<string, KindConfig>>
  }
}

export interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
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
