import { classNames } from '../../parts/class-names.ts'

interface StepListProps {
  readonly labels: readonly string[]
  readonly position: number
  readonly onChoose: (position: number) => void
}

/** The current step; earlier steps can be selected. */
export function StepList({ labels, position, onChoose }: StepListProps) {
  return (
    <ol className="flex flex-wrap gap-x-1 gap-y-1">
      {labels.map((label, index) => (
        <li key={label} aria-current={index === position ? 'step' : undefined}>
          <button
            type="button"
            disabled={index > position}
            onClick={() => onChoose(index)}
            className={classNames(
              'flex items-center gap-1.5 rounded-full px-2.5 py-1 text-xs font-medium',
              index === position ? 'bg-accent text-on-accent' : 'bg-raised text-muted',
            )}
          >
            <span className="tabular-nums">{index + 1}</span> {label}
          </button>
        </li>
      ))}
    </ol>
  )
}
