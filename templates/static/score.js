/* Computes a score card on the phone: points of a game, choices for the next one, problems. Uses no page and no network.

   The same rules as the server's, field by field of the ruleset. The server checks every row again and decides. A line of
   a card is {what: "game", winner, win: 1|2|3, ending: "played"|"dropped"|"resigned", cube, checkers_left,
   automatic_doubles}, {what: "penalty", against, points, mid_game} or {what: "final", left, right}. */
"use strict";

(() => {
  const SIDES = ["left", "right"];
  const LARGEST_CUBE = 2 ** 20;
  const FACES_OF_A_CUBE = 64;
  const CHECKERS = 15;

  const other = (side) => (side === "left" ? "right" : "left");
  const power = (turns) => 2 ** turns;
  const turnsOf = (cube) => 31 - Math.clz32(cube);
  const fault = (code, params = {}) => ({ code, params });

  /* The Crawford state of a match: "to_come", "after_this" (one game later), "past" or "never". */
  const start = (length, rules, agreed = null) => {
    const hasNone = rules.crawford === "off" || !rules.cube || length === null || length === 1;
    return { left: 0, right: 0, length, crawford: hasNone ? "never" : "to_come", games: 0, agreed };
  };

  const away = (score, side) => (score.length === null ? Infinity : Math.max(0, score.length - score[side]));
  /* A session of stake play needs a winner: if it is level after the agreed games, one more game is played at a time. */
  const isSessionOver = ({ left, right, games, agreed }) => agreed !== null && games >= agreed && left !== right;
  const isOver = (score) =>
    score.length === null ? isSessionOver(score) : Math.max(score.left, score.right) >= score.length;
  const isMatchPoint = (score) => !isOver(score) && SIDES.some((side) => away(score, side) === 1);
  const isCrawford = (score) => score.length > 1 && score.crawford === "to_come" && isMatchPoint(score);
  const isCrawfordGame = (score, rules) => isCrawford(score) && rules.crawford !== "off";
  const winner = (score) => (isOver(score) ? (score.left > score.right ? "left" : "right") : "");

  const mayDouble = (score, rules) => {
    if (isOver(score) || !rules.cube || score.length === 1) return [];
    if (!isCrawfordGame(score, rules)) return SIDES;
    if (rules.crawford === "on") return [];
    return SIDES.filter((side) => score.left === score.right || score[side] > score[other(side)]);
  };

  const whyNoCube = (score, rules) => {
    if (isOver(score)) return "over";
    if (!rules.cube) return "match";
    if (score.length === 1) return "one_point_match";
    if (!isCrawfordGame(score, rules)) return "";
    return rules.crawford === "on" ? "crawford" : "crawford_trailer";
  };

  /* Possible games */

  const mostAutomatic = (rules) => (rules.automatic_doubles === null ? 20 : rules.automatic_doubles);

  const automaticInForce = (score, game, rules) =>
    mayDouble(score, rules).length ? Math.min(Math.max(0, game.automatic_doubles), mostAutomatic(rules)) : 0;

  const isDrop = (game) => game.ending === "dropped";

  const reachableCube = (score, game, automatic, rules) => {
    const doublers = mayDouble(score, rules);
    if (!doublers.length) return 1;
    const once = (isDrop(game) ? 1 : 2) * power(automatic);
    return doublers.length === 1 ? Math.min(LARGEST_CUBE, once) : LARGEST_CUBE;
  };

  const isUncubedSingle = (game) => game.win === 1 && game.cube === 1 && !isDrop(game);

  const asksForCheckers = (game, rules) => rules.uncubed_single === "checkers_left" && isUncubedSingle(game);

  const mostCheckers = (game) => (game.ending === "resigned" ? CHECKERS : CHECKERS - 1);

  /* The cube value if the illegal double is annulled. */
  const legalCube = (score, game, rules) => {
    const adjusted = { ...game };
    if (isDrop(game) && !mayDouble(score, rules).includes(game.winner)) adjusted.ending = "resigned";
    const inForce = automaticInForce(score, game, rules);
    const reachable = reachableCube(score, adjusted, inForce, rules);
    const limit = rules.cube_limit === null ? Infinity : rules.cube_limit / (isDrop(adjusted) ? 2 : 1);
    const ceiling = Math.min(reachable, Math.floor(limit));
    const automatic = Math.min(inForce, turnsOf(ceiling));
    return Math.max(power(automatic), Math.min(power(turnsOf(Math.max(1, game.cube))), ceiling));
  };

  const cubeProblem = (score, game, rules, use) => {
    const reason = whyNoCube(score, rules);
    const code = reason.startsWith("crawford") ? `${reason}_${use}` : `no_${use}_in_${reason}`;
    return fault(code, { cube: game.cube, legal_cube: legalCube(score, game, rules) });
  };

  const cubeFault = (score, game, rules) => {
    const { cube } = game;
    if (cube > LARGEST_CUBE) return fault("cube_beyond_counting", { cube });
    if (!(cube >= 1) || power(turnsOf(cube)) !== cube) return fault("cube_not_a_power_of_two", { cube });
    const automatic = automaticInForce(score, game, rules);
    const use = isDrop(game) ? "drop" : "cube";
    const cannotDrop = isDrop(game) && !mayDouble(score, rules).includes(game.winner);
    if (cannotDrop || cube > reachableCube(score, game, automatic, rules)) return cubeProblem(score, game, rules, use);
    const limit = rules.cube_limit;
    if (limit !== null && cube > limit) return fault("cube_above_limit", { cube, limit });
    if (limit !== null && isDrop(game) && cube * 2 > limit) return fault("double_above_limit", { cube, limit });
    return cube < power(automatic) ? fault("cube_below_automatic", { cube, least: power(automatic) }) : null;
  };

  const automaticFault = (score, game, rules) => {
    const doubles = game.automatic_doubles;
    const most = mostAutomatic(rules);
    if (doubles < 0) return fault("automatic_doubles_negative", { given: doubles });
    if (doubles && most === 0) return fault("automatic_doubles_not_played");
    if (doubles && !mayDouble(score, rules).length) return fault("automatic_doubles_without_cube");
    return doubles > most ? fault("automatic_doubles_too_many", { given: doubles, most }) : null;
  };

  const checkersFault = (game, rules) => {
    const checkers = game.checkers_left;
    if (!asksForCheckers(game, rules)) {
      if (checkers === null) return null;
      return fault(rules.uncubed_single === "checkers_left" ? "checkers_left_not_asked" : "checkers_left_not_counted");
    }
    if (checkers === null) return fault("checkers_left_missing");
    const most = mostCheckers(game);
    return checkers >= 1 && checkers <= most ? null : fault("checkers_left_out_of_range", { given: checkers, most });
  };

  /* The first problem of this game at this score: {code, params}, or null. */
  const problem = (score, game, rules) => {
    if (isOver(score)) return fault("match_is_over", { left: score.left, right: score.right });
    return (
      cubeFault(score, game, rules) ||
      automaticFault(score, game, rules) ||
      (isDrop(game) && game.win > 1 ? fault("gammon_on_a_drop") : null) ||
      checkersFault(game, rules)
    );
  };

  const finalProblem = (left, right, length) => {
    if (Math.min(left, right) < 0) return fault("final_score_negative");
    if (length === null) return left === right ? fault("final_score_level") : null;
    if (Math.max(left, right) < length) return fault("final_score_unfinished", { length });
    if (Math.min(left, right) >= length) return fault("final_score_two_winners", { length });
    if (Math.max(left, right) === length) return null;
    const [l, r] = [Math.min(left, length), Math.min(right, length)];
    return fault("final_score_beyond_length", { length, left: l, right: r });
  };

  /* Points of a line */

  const pointsOf = (game, rules) => {
    if (asksForCheckers(game, rules)) return game.checkers_left || 1;
    const wasDoubled = isDrop(game) || turnsOf(game.cube) > game.automatic_doubles;
    return game.cube * (rules.jacoby && !wasDoubled ? 1 : game.win);
  };

  const stageAfterGame = (score) => {
    if (score.crawford === "after_this") return "to_come";
    return isCrawford(score) ? "past" : score.crawford;
  };

  const stageAfterPenalty = (score, after, line, rules) => {
    if (isMatchPoint(score) || !isCrawford(after)) return score.crawford;
    if (!rules.crawford_after_penalty) return "past";
    return line.mid_game ? "after_this" : "to_come";
  };

  /* Applies a valid line to a score: {line, number, winner, credited, isCrawford, after}. */
  const play = (score, line, rules) => {
    const isGame = line.what === "game";
    const side = isGame ? line.winner : other(line.against);
    const credited = isOver(score) ? 0 : Math.min(isGame ? pointsOf(line, rules) : line.points, away(score, side));
    const after = { ...score, [side]: score[side] + credited };
    after.crawford = isGame ? stageAfterGame(score) : stageAfterPenalty(score, after, line, rules);
    after.games = score.games + (isGame ? 1 : 0);
    const number = isGame ? score.games + 1 : null;
    return { line, number, winner: side, credited, isCrawford: isGame && isCrawfordGame(score, rules), after };
  };

  /* Replays a card: {lines, score, problem, stop}, with the first problem and the row that stopped a session, or null.
     A final score replaces all lines before it. `games`: the agreed number in stake play; without it a line
     {what: "stop"} sets the number of games so far as agreed. */
  const replayCard = (rows, length, rules, games = null) => {
    const final = [...rows].reverse().find((row) => row.what === "final");
    if (final) {
      const after = { ...start(length, rules, 0), left: final.left, right: final.right, crawford: "past" };
      const winningSide = final.left > final.right ? "left" : "right";
      const line = { line: final, number: null, winner: winningSide, credited: 0, isCrawford: false, after };
      return { lines: [line], score: after, problem: finalProblem(final.left, final.right, length), stop: null };
    }
    let score = start(length, rules, games);
    let firstProblem = null;
    let stop = null;
    const lines = [];
    rows.forEach((row) => {
      if (row.what === "stop") {
        stop = stop || row;
        score = { ...score, agreed: row.games || Math.max(1, score.games) };
        return;
      }
      if (row.what === "game") firstProblem = firstProblem || problem(score, row, rules);
      const played = play(score, row, rules);
      score = played.after;
      lines.push(played);
    });
    return { lines, score, problem: firstProblem, stop };
  };

  const largestUsefulCube = (score) => {
    const pointsNeeded = Math.max(1, ...SIDES.map((side) => away(score, side)));
    return power(32 - Math.clz32(pointsNeeded - 1));
  };

  const cubes = (score, rules, doublers) => {
    if (isOver(score)) return [];
    if (!doublers.length) return [1];
    const useful = score.length === null ? FACES_OF_A_CUBE : largestUsefulCube(score);
    const most = Math.min(doublers.length === 1 ? 2 : useful, rules.cube_limit || Infinity);
    return Array.from({ length: turnsOf(most) + 1 }, (_, turns) => power(turns));
  };

  /* The possible inputs for the next game. */
  const choices = (score, rules) => {
    const doublers = mayDouble(score, rules);
    return {
      cubes: cubes(score, rules, doublers),
      mayDouble: doublers,
      isCrawford: isCrawfordGame(score, rules),
      whyNoCube: whyNoCube(score, rules),
      needsCheckers: !isOver(score) && rules.uncubed_single === "checkers_left",
      automatic: doublers.length ? rules.automatic_doubles : 0,
    };
  };

  const isDoubleMatchPoint = (score) => SIDES.every((side) => away(score, side) === 1);
  const isPostCrawford = (score) => score.crawford === "past" && !isOver(score);

  self.cardScore = {
    asksForCheckers,
    choices,
    finalProblem,
    isDoubleMatchPoint,
    isOver,
    isPostCrawford,
    play,
    problem,
    replayCard,
    start,
    winner,
  };
})();
