/** A text that the user has changed, and what it is a change of. */
export interface TextDraft<Base> {
  readonly base: Base
  readonly text: string
}

/** What is left of a draft when a text of it has been saved: nothing, unless the user has typed more meanwhile. */
export function draftAfterSave<Base>(
  draft: TextDraft<Base> | undefined,
  savedText: string,
  saved: Base,
): TextDraft<Base> | undefined {
  return draft === undefined || draft.text === savedText ? undefined : { base: saved, text: draft.text }
}
