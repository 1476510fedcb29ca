import { printYaml } from '../yaml/print.ts'
import { samples } from './samples.ts'

export type PatchAction = 'expression' | 'reference' | 'labels'

/** A patch as the user writes it. */
export interface PatchDraft {
  readonly resource: string
  readonly object: string
  readonly path: string
  readonly action: PatchAction
  readonly expression: string
  readonly reverseExpression: string
  readonly reference: ReferenceDraft
}

export interface ReferenceDraft {
  readonly apiVersion: string
  readonly kind: string
  readonly namePath: string
  readonly namespacePath: string
}

export const firstDraft: PatchDraft = {
  resource: samples[0].resource,
  object: samples[0].object,
  path: 'metadata.annotations["example.com/region"]',
  action: 'expression',
  expression: '"host-" + value',
  reverseExpression: 'value.replace(/^host-/, "")',
  reference: { apiVersion: 'v1', kind: 'Secret', namePath: '', namespacePath: '' },
}

/** The patch in the form of tenant.yaml and the API. */
export function patchOf({ path, action, expression, reverseExpression, reference }: PatchDraft): object {
  switch (action) {
    case 'expression':
      return { path, ...text({ expression, reverseExpression }) }
    case 'reference':
      return { path, reference: text({ ...reference }) }
    case 'labels':
      return { path, labels: {} }
  }
}

function text(members: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value.trim() !== ''))
}

/** The text for tenant.yaml. */
export function configText(draft: PatchDraft): string {
  const kind = { enabled: true, patches: [patchOf(draft)] }
  const toHost = draft.resource.includes('.')
    ? { customResources: { [draft.resource]: kind } }
    : { [draft.resource]: kind }
  return printYaml({ sync: { toHost } })
}
