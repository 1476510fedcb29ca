import { assertionNamespace, bearerMethod, nameIdFormatOf } from './names.ts'
import { attributeOf, childrenNamed, childrenOf, onlyChild, parseXml, textOf, untrusted } from './xml.ts'

/** The content of an assertion. Times in milliseconds; absent if not stated. */
export interface Assertion {
  readonly id: string
  readonly issuer: string
  readonly nameId: string
  readonly nameIdFormat: string
  readonly sessionIndex: string
  readonly notBeforeMs?: number
  readonly notOnOrAfterMs?: number
  readonly sessionEndMs?: number
  /** Each list must contain the platform. */
  readonly audiences: readonly (readonly string[])[]
  readonly confirmations: readonly SubjectConfirmation[]
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

/** Why the bearer of the assertion is the user. */
export interface SubjectConfirmation {
  readonly recipient: string
  readonly inResponseTo: string
  readonly notBeforeMs?: number
  readonly notOnOrAfterMs?: number
}

const mostAttributes = 200
const mostValues = 2_000
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** Reads only the XML that was signed. */
export function readAssertion(signedXml: string): Assertion {
  const root = parseXml(signedXml)
  if (root.namespaceURI !== assertionNamespace || root.localName !== 'Assertion') {
    throw untrusted('the signed element is not an assertion')
  }
  const subject = onlyChild(root, assertionNamespace, 'Subject')
  const nameId = subject && onlyChild(subject, assertionNamespace, 'NameID')
  const conditions = onlyChild(root, assertionNamespace, 'Conditions')
  const [statement, another] = childrenNamed(root, assertionNamespace, 'AuthnStatement')
  if (statement === undefined || another !== undefined)
    throw untrusted('the assertion does not say that the user signed in')
  return {
    id: attributeOf(root, 'ID'),
    issuer: textOf(onlyChild(root, assertionNamespace, 'Issuer')),
    nameId: textOf(nameId),
    nameIdFormat: nameIdFormatOf(nameId === undefined ? '' : attributeOf(nameId, 'Format')),
    sessionIndex: attributeOf(statement, 'SessionIndex'),
    ...timesOf(conditions),
    ...(attributeOf(statement, 'SessionNotOnOrAfter') === ''
      ? {}
      : { sessionEndMs: timeIn(attributeOf(statement, 'SessionNotOnOrAfter')) }),
    audiences: audiencesIn(conditions),
    confirmations: subject === undefined ? [] : confirmationsIn(subject),
    attributes: attributesIn(root),
  }
}

function audiencesIn(conditions: Element | undefined): Assertion['audiences'] {
  if (conditions === undefined) return []
  return childrenNamed(conditions, assertionNamespace, 'AudienceRestriction').map((restriction) =>
    childrenNamed(restriction, assertionNamespace, 'Audience').map(textOf),
  )
}

function confirmationsIn(subject: Element): readonly SubjectConfirmation[] {
  return childrenNamed(subject, assertionNamespace, 'SubjectConfirmation')
    .filter((confirmation) => attributeOf(confirmation, 'Method') === bearerMethod)
    .flatMap((confirmation) => onlyChild(confirmation, assertionNamespace, 'SubjectConfirmationData') ?? [])
    .map((data) => ({
      recipient: attributeOf(data, 'Recipient'),
      inResponseTo: attributeOf(data, 'InResponseTo'),
      ...timesOf(data),
    }))
}

function timesOf(element: Element | undefined): Pick<SubjectConfirmation, 'notBeforeMs' | 'notOnOrAfterMs'> {
  const from = element === undefined ? '' : attributeOf(element, 'NotBefore')
  const until = element === undefined ? '' : attributeOf(element, 'NotOnOrAfter')
  return {
    ...(from === '' ? {} : { notBeforeMs: timeIn(from) }),
    ...(until === '' ? {} : { notOnOrAfterMs: timeIn(until) }),
  }
}

function timeIn(text: string): number {
  const ms = timeForm.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw untrusted('the assertion contains an invalid time')
  return ms
}

/** Values of one name form one list, wherever they are. Values that are not text are omitted. */
function attributesIn(root: Element): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const told = childrenNamed(root, assertionNamespace, 'AttributeStatement').flatMap((statement) =>
    childrenNamed(statement, assertionNamespace, 'Attribute'),
  )
  if (told.length > mostAttributes) throw untrusted('the assertion has too many attributes')
  let left = mostValues
  for (const attribute of told) {
    const values = childrenNamed(attribute, assertionNamespace, 'AttributeValue').filter(
      (value) => childrenOf(value).length === 0,
    )
    left -= values.length
    if (left < 0) throw untrusted('the attributes of the assertion have too many values')
    const name = attributeOf(attribute, 'Name')
    found.set(name, [...(found.get(name) ?? []), ...values.map(textOf)])
  }
  return found
}
