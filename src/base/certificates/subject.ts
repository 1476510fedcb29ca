/** One part of a subject, such as its common name. */
export interface SubjectAttribute {
  /** Object identifier. */
  readonly type: string
  readonly value: string
}

export const commonNameType = '2.5.4.3'
export const organizationType = '2.5.4.10'
const serialNumberType = '2.5.4.5'

/**
 * Attributes that a subject may have more than once, in the order in which certificates list them: C, O, OU, L, ST,
 * street, postal code.
 */
const listedTypes = ['2.5.4.6', organizationType, '2.5.4.11', '2.5.4.7', '2.5.4.8', '2.5.4.9', '2.5.4.17']

/** Who a certificate is for. The last common name counts, as in Kubernetes. */
export function commonNameIn(subject: readonly SubjectAttribute[]): string {
  return lastOf(subject, commonNameType)?.value ?? ''
}

export function organizationsIn(subject: readonly SubjectAttribute[]): readonly string[] {
  return subject.filter(({ type }) => type === organizationType).map(({ value }) => value)
}

/** The subject to certify: one common name, so that every reader finds the same one, and no unknown attributes. */
export function certifiedSubject(subject: readonly SubjectAttribute[]): readonly SubjectAttribute[] {
  const listed = listedTypes.flatMap((type) => subject.filter((part) => part.type === type))
  const single = [lastOf(subject, commonNameType), lastOf(subject, serialNumberType)]
  return [...listed, ...single].filter((part) => part !== undefined).filter(({ value }) => value !== '')
}

function lastOf(subject: readonly SubjectAttribute[], wanted: string): SubjectAttribute | undefined {
  return subject.filter(({ type }) => type === wanted).at(-1)
}
