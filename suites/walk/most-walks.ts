/** Walks that one run can have: each is a case of its own. */
export const MOST_WALKS: number = 20
