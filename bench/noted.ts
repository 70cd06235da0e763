import type { Figure } from './figures.ts'

/** Ratios that were noted, by part and name of the figure. */
export type Noted = Readonly<Record<string, Readonly<Record<string, number>>>>

export function readNoted(text: string): Noted {
  return JSON.parse(text) as Noted
}

/** The noted ratios with those of the parts that were measured now in place of their old ones. */
export function note(before: Noted, figures: readonly Figure[]): Noted {
  const parts = [...new Set(figures.map(({ part }) => part))]
  const now = parts.map((part) => [
    part,
    Object.fromEntries(
      figures.flatMap(({ part: of, name, ratio }) =>
        of === part && ratio !== undefined ? [[name, Number(ratio.toFixed(4))]] : [],
      ),
    ),
  ])
  return { ...before, ...Object.fromEntries(now) }
}

/**
 * A line for each ratio that has dropped by more than `tolerance`, a share of the noted one. Also one for each noted
 * ratio that a measured part no longer has.
 */
export function worse(noted: Noted, figures: readonly Figure[], tolerance: number): string[] {
  const measured = new Map(figures.map((figure) => [`${figure.part} ${figure.name}`, figure.ratio]))
  const parts = new Set<string>(figures.map(({ part }) => part))
  return Object.entries(noted).flatMap(([part, ratios]) =>
    !parts.has(part)
      ? []
      : Object.entries(ratios).flatMap(([name, before]) => {
          const now = measured.get(`${part} ${name}`)
          if (now === undefined) return [`${part}: ${name}: was not measured, ${before.toFixed(2)} is noted`]
          if (now >= before * (1 - tolerance)) return []
          const drop = ((1 - now / before) * 100).toFixed(0)
          return [`${part}: ${name}: ${now.toFixed(2)}, ${drop} % less than the noted ${before.toFixed(2)}`]
        }),
  )
}
