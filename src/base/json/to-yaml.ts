import { Document, isScalar, Scalar, visit } from 'yaml'
import { escapedYaml, hasUnseen } from '../unseen.ts'
import { isAmbiguous } from './yaml-scalar.ts'

/**
 * Prints JSON values as YAML the way Kubernetes does: members sorted, lists flush with their key, long lines not
 * folded, and double quotes around text that would otherwise be read as a number, a boolean, a time or null. Characters
 * that a terminal would act on are escaped.
 */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, sortMapEntries: true })
  visit(document, {
    Scalar: (_key, node) => {
      if (isScalar(node) && typeof node.value === 'string' && mustBeQuoted(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escapedYaml(document.toString({ lineWidth: 0, indentSeq: false, singleQuote: true }))
}

/** `<<` without quotes would merge its value into the map. Characters can be escaped only in double quotes. */
function mustBeQuoted(text: string): boolean {
  return text === '<<' || isAmbiguous(text) || timestamp.test(text) || (!hasOnlyLines(text) && hasUnseen(text))
}

/** What YAML 1.1 readers take for a time: a date, or a date with a time of day. */
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/

const plainLines = /^[\x20-\x7e\n]*$/

function hasOnlyLines(text: string): boolean {
  return plainLines.test(text)
}
