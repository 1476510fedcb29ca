import type { KeyDraft } from './draft.ts'

export interface StepProps {
  readonly draft: KeyDraft
  readonly onChange: (draft: KeyDraft) => void
}
