export interface PlotSeries {
  readonly label: string
  readonly color: 'accent' | 'bad' | 'good' | 'warn'
  readonly values: readonly number[]
}

export interface PlotProps {
  readonly label: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly PlotSeries[]
  /** The minimum time span to show. */
  readonly spanSeconds?: number
}
