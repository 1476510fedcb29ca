import { ask } from '../api/request.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { useManagement } from '../session/session-context.tsx'
import { type PatchDraft, patchOf } from './draft.ts'
import { useDeferredText } from './use-deferred-text.ts'

export interface QuestionProblem {
  readonly field: string
  readonly message: string
  readonly offset?: number
}

export interface PatchResult {
  readonly index: number
  readonly matched: number
  readonly changed: number
  readonly notFound: number
  readonly failed: number
  readonly matches: readonly string[]
}

export interface DirectionResult {
  readonly state: 'applied' | 'failed'
  readonly before: unknown
  readonly after?: unknown
  readonly failure?: { readonly concretePath: string; readonly message: string }
  readonly references?: readonly {
    readonly kind: string
    readonly namespace: string
    readonly name: string
    readonly translated?: { readonly namespace: string; readonly name: string }
  }[]
  readonly patches: readonly PatchResult[]
}

export interface Evaluation {
  readonly problems: readonly QuestionProblem[]
  readonly toHost?: DirectionResult
  readonly toVirtual?: DirectionResult
  readonly roundTrip?: readonly { readonly verdict: string; readonly message: string }[]
}

/** The result of the platform's engine for the patch, shortly after the last change. */
export function useEvaluation(draft: PatchDraft): Fetched<Evaluation> {
  const management = useManagement()
  const { resource, object } = draft
  const question = useDeferredText(JSON.stringify({ resource, object, patches: [patchOf(draft)] }))
  const path = management.path('patchevaluations')
  return useAsked({
    queryKey: ['patch', question],
    queryFn: async ({ signal }) => {
      const body = { apiVersion: management.apiVersion, kind: 'PatchEvaluation', spec: JSON.parse(question) }
      return (await ask<{ readonly status: Evaluation }>(path, { method: 'POST', body, signal })).status
    },
    placeholderData: (before) => before,
    retry: false,
    gcTime: 60_000,
  })
}
