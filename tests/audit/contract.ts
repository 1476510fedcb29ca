/** A test that is there, by a part of its name as its file has it. */
export interface NamedTest {
  readonly file: string
  readonly name: string
  /** A part of the name of its suite when the tests of that build on one another: all of them are run. */
  readonly story?: string
  /** The file of a suite that several files run, when its name is written there. */
  readonly writtenIn?: string
}

/** How it is shown that a requirement holds. */
export type Evidence =
  | { readonly type: 'tests'; readonly tests: readonly NamedTest[] }
  /** Nothing can show it yet, and why. */
  | { readonly type: 'not yet'; readonly why: string }

export interface Requirement {
  /** Section of the specification and what it is about, such as `2.1 metadata.uid`. */
  readonly id: string
  /** In a few words of our own. */
  readonly says: string
  readonly evidence: Evidence
}

/** The sections of the specification. Each has requirements, or says nothing that could be held against a program. */
export const sections = ['1', '2.1', '2.2', '2.3', '2.4', '3', '4', '5', '6', '7', '8', '9'] as const

export function sectionOf({ id }: Requirement): string {
  return id.split(' ', 1)[0] ?? ''
}
