export type Shell = 'bash' | 'zsh' | 'fish'

export const shells: readonly Shell[] = ['bash', 'zsh', 'fish']
