/** Standard errors beyond which an observation is not what the plan says. */
export const LIMIT = 4;
