import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

type Tone = 'plain' | 'primary' | 'danger' | 'danger-quiet' | 'quiet'

const tones: Readonly<Record<Tone, string>> = {
  plain: 'border-line-strong bg-surface hover:bg-raised',
  primary: 'border-transparent bg-accent text-on-accent hover:opacity-90',
  danger: 'border-transparent bg-bad text-on-bad hover:opacity-90',
  'danger-quiet': 'border-line-strong bg-surface text-bad hover:bg-bad-soft',
  quiet: 'border-transparent hover:bg-raised',
}

const shape =
  'inline-flex h-8 items-center justify-center gap-1.5 rounded-md border px-3 font-medium whitespace-nowrap transition-colors disabled:opacity-50'

export function buttonClass(tone: Tone = 'plain'): string {
  return classNames(shape, tones[tone])
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly tone?: Tone
  readonly square?: boolean
}

export function Button({ tone = 'plain', square = false, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={classNames(buttonClass(tone), square && 'w-8 px-0')} {...rest} />
}
