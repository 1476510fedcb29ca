import { parseLabelRequirements } from './label-parser.ts'
import { type LabelRequirement, type Labels, requirementHolds } from './label-requirement.ts'

/** Parsed once, evaluated for every object. */
export interface LabelSelector {
  /** Whether every object matches, so that `matches` need not be called. */
  readonly matchesEverything: boolean
  readonly requirements: readonly LabelRequirement[]
  readonly matches: (labels: Labels | undefined) => boolean
}

const everyLabel: LabelSelector = { matchesEverything: true, requirements: [], matches: () => true }

/** Matches no object: the meaning of an absent LabelSelector object. */
export const noLabel: LabelSelector = { matchesEverything: false, requirements: [], matches: () => false }

const noLabels: Labels = {}

/** Throws the 400 of Kubernetes for an invalid selector. */
export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? everyLabel : labelSelectorOf(parseLabelRequirements(text))
}

export function labelSelectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return everyLabel
  return {
    matchesEverything: false,
    requirements,
    matches: (labels = noLabels) => requirements.every((requirement) => requirementHolds(requirement, labels)),
  }
}

/** The text form; parsing it yields an equal selector. */
export function printLabelSelector({ requirements }: LabelSelector): string {
  return requirements.map(printRequirement).join(',')
}

function printRequirement({ key, operator, values }: LabelRequirement): string {
  const list = [...values].sort()
  switch (operator) {
    case 'exists':
      return key
    case '!':
      return `!${key}`
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list.join(',')})`
    default:
      return `${key}${operator}${list.join(',')}`
  }
}
