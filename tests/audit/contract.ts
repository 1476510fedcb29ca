/** An existing test, named by a part of its title as its file has it. */
export interface NamedTest {
  readonly file: string
  readonly name: string
  /** A part of the title of its suite, if the tests of that suite build on one another: all of them are run. */
  readonly story?: string
  /** The file that contains the title, if several files run the suite. */
  readonly writtenIn?: string
}

/** What shows that a requirement holds. */
export type Evidence =
  | { readonly type: 'tests'; readonly tests: readonly NamedTest[] }
  /** Nothing can show it yet; `why` says why not. */
  | { readonly type: 'not yet'; readonly why: string }

export interface Requirement {
  /** Section of the specification and its subject, such as `2.1 metadata.uid`. */
  readonly id: string
  /** A short paraphrase. */
  readonly says: string
  readonly evidence: Evidence
}

/** The sections of the specification. Each has requirements, or contains nothing that can be tested. */
export const sections = ['1', '2.1', '2.2', '2.3', '2.4', '3', '4', '5', '6', '7', '8', '9'] as const

export function sectionOf({ id }: Requirement): string {
  return id.split(' ', 1)[0] ?? ''
}
