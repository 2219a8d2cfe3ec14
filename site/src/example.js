// The games behind the button "Try it with an example": one file that shows what the page does. The first two games are from the database of
// lichess.org (CC0, October 2021), the moves of the third are those of Morphy's game at the opera, and the rest was written for this page.

export const EXAMPLE = String.raw`[Event "Rated Blitz game"]
[Site "https://lichess.org/XDPAZmXT"]
[Date "2021.10.01"]
[Round "-"]
[White "Cristian33"]
[Black "MiguelitoSanchez"]
[Result "1-0"]
[UTCDate "2021.10.01"]
[UTCTime "00:00:01"]
[WhiteElo "2035"]
[BlackElo "1564"]
[WhiteRatingDiff "+1"]
[BlackRatingDiff "-1"]
[ECO "C33"]
[Opening "King's Gambit Accepted: Bishop's Gambit, Maurian Defense"]
[TimeControl "180+2"]
[Termination "Normal"]

1. e4 { [%eval 0.24] [%clk 0:03:00] } 1... e5 { [%eval 0.12] [%clk 0:03:00] } 2. Bc4
{ [%eval 0.0] [%clk 0:02:59] } 2... Nc6 { [%eval 0.39] [%clk 0:02:51] } 3. f4?
{ [%eval -0.89] [%clk 0:02:58] } 3... exf4 { [%eval -0.75] [%clk 0:02:16] } 4. Nf3
{ [%eval -0.91] [%clk 0:02:44] } 4... d6? { [%eval 0.12] [%clk 0:02:13] } 5. d4
{ [%eval 0.0] [%clk 0:02:44] } 5... Be7?! { [%eval 0.83] [%clk 0:02:02] } 6. Bxf4
{ [%eval 0.95] [%clk 0:02:36] } 6... Nf6 { [%eval 0.93] [%clk 0:01:44] } 7. Nbd2?
{ [%eval -0.28] [%clk 0:02:33] } 7... O-O? { [%eval 0.75] [%clk 0:01:43] } 8. O-O
{ [%eval 0.33] [%clk 0:02:31] } 8... Na5?! { [%eval 1.28] [%clk 0:01:38] } 9. Bd3
{ [%eval 1.02] [%clk 0:02:28] } 9... c5 { [%eval 0.91] [%clk 0:01:36] } 10. c3
{ [%eval 1.25] [%clk 0:02:20] } 10... cxd4 { [%eval 1.0] [%clk 0:01:32] } 11. cxd4
{ [%eval 1.14] [%clk 0:02:21] } 11... Bg4 { [%eval 1.04] [%clk 0:01:21] } 12. h3
{ [%eval 0.94] [%clk 0:02:14] } 12... Bxf3 { [%eval 1.17] [%clk 0:01:20] } 13. Qxf3
{ [%eval 1.25] [%clk 0:02:16] } 13... d5 { [%eval 1.76] [%clk 0:01:19] } 14. e5
{ [%eval 1.78] [%clk 0:02:16] } 14... Nd7?? { [%eval 5.87] [%clk 0:01:17] } 15. Qxd5??
{ [%eval 0.89] [%clk 0:02:08] } 15... Nc6? { [%eval 1.98] [%clk 0:01:17] } 16. Qe4
{ [%eval 2.12] [%clk 0:02:05] } 16... f6?? { [%eval #4] [%clk 0:01:17] } 17. Qxh7+
{ [%eval #3] [%clk 0:01:59] } 17... Kf7 { [%eval #3] [%clk 0:01:10] } 18. Bc4+
{ [%eval #2] [%clk 0:01:59] } 18... Ke8 { [%eval #2] [%clk 0:00:31] } 19. Qg6+
{ [%eval #1] [%clk 0:02:00] } 19... Rf7 { [%eval #1] [%clk 0:00:26] } 20. Qxf7# { [%clk 0:02:00] }
1-0

[Event "Rated Blitz game"]
[Site "https://lichess.org/mkDmHfTT"]
[Date "2021.10.01"]
[Round "-"]
[White "fazebabybay"]
[Black "AgustinRiveros"]
[Result "1-0"]
[UTCDate "2021.10.01"]
[UTCTime "00:00:06"]
[WhiteElo "1677"]
[BlackElo "1530"]
[WhiteRatingDiff "+98"]
[BlackRatingDiff "-3"]
[ECO "B10"]
[Opening "Caro-Kann Defense"]
[TimeControl "180+0"]
[Termination "Normal"]

1. e4 { [%eval 0.24] [%clk 0:03:00] } 1... c6 { [%eval 0.13] [%clk 0:03:00] } 2. f4
{ [%eval -0.16] [%clk 0:02:59] } 2... d5 { [%eval 0.0] [%clk 0:02:59] } 3. exd5?!
{ [%eval -0.81] [%clk 0:02:59] } 3... cxd5 { [%eval -0.47] [%clk 0:02:59] } 4. Nf3
{ [%eval -0.71] [%clk 0:02:58] } 4... Bg4?! { [%eval -0.07] [%clk 0:02:57] } 5. d4
{ [%eval -0.51] [%clk 0:02:57] } 5... e6 { [%eval -0.13] [%clk 0:02:56] } 6. Be2
{ [%eval -0.53] [%clk 0:02:54] } 6... Bd6 { [%eval -0.44] [%clk 0:02:51] } 7. O-O
{ [%eval -0.45] [%clk 0:02:52] } 7... Nf6 { [%eval -0.54] [%clk 0:02:50] } 8. a4
{ [%eval -0.69] [%clk 0:02:51] } 8... Nc6 { [%eval -0.78] [%clk 0:02:47] } 9. Qd2?!
{ [%eval -1.33] [%clk 0:02:48] } 9... Ne4 { [%eval -1.01] [%clk 0:02:43] } 10. Qe1
{ [%eval -0.82] [%clk 0:02:47] } 10... Bb4?! { [%eval -0.12] [%clk 0:02:37] } 11. c3
{ [%eval -0.15] [%clk 0:02:45] } 11... Bd6 { [%eval -0.33] [%clk 0:02:34] } 12. Nbd2
{ [%eval -0.28] [%clk 0:02:45] } 12... Nxd2 { [%eval -0.22] [%clk 0:02:29] } 13. Qxd2
{ [%eval -0.26] [%clk 0:02:45] } 13... Qf6?! { [%eval 0.62] [%clk 0:02:23] } 14. Ng5?!
{ [%eval -0.17] [%clk 0:02:36] } 14... Bxe2 { [%eval -0.11] [%clk 0:02:14] } 15. Qxe2
{ [%eval -0.12] [%clk 0:02:35] } 15... h6 { [%eval 0.12] [%clk 0:02:09] } 16. Nh3
{ [%eval -0.07] [%clk 0:02:29] } 16... Ne7?? { [%eval 3.38] [%clk 0:02:03] } 17. Qb5+
{ [%eval 2.92] [%clk 0:02:25] } 17... Nc6?? { [%eval 8.92] [%clk 0:01:49] } 18. Qxb7
{ [%eval 8.91] [%clk 0:02:23] } 18... O-O { [%eval 9.15] [%clk 0:01:21] } 19. Qxc6
{ [%eval 9.59] [%clk 0:02:21] } 19... Qg6 { [%eval 10.65] [%clk 0:01:13] } 20. Qxd6
{ [%eval 10.79] [%clk 0:02:17] } 1-0

[Event "Opera House"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]
[ECO "C41"]

{The most famous game of Paul Morphy, played in a box of the opera.} 1. e4 e5 2. Nf3 d6 3. d4 Bg4?!
{The pin costs time.} (3... exd4 4. Nxd4 Nf6 5. Nc3 Be7 {is solid.}) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4
Nf6? {Now both f7 and b7 are attacked.} (6... Qe7 7. Nc3 c6 (7... Nc6 $2 8. Nd5) 8. O-O $14) (6... Qf6
7. Qb3) 7. Qb3! Qe7 8. Nc3 (8. Qxb7 Qb4+ 9. Qxb4 Bxb4+ {wins a pawn, but Morphy wants more.}) 8... c6
9. Bg5 b5? 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7! Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+!! {The queen is given for a mate by rook and bishop.} Nxb8 17. Rd8# 1-0

[Event "A Chess960 game"]
[Site "?"]
[Date "2024.05.01"]
[White "Knight, Ada"]
[Black "Rook, Bo"]
[Result "1/2-1/2"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w GCgc - 0 1"]

1. e4 e5 2. O-O-O {King and rook change places.} (2. Ng3 {is possible, too.}) 2... O-O-O 3. Ng3 Ng6
4. Nf3 f6 1/2-1/2

[Event "A study"]
[Site "?"]
[Date "1921.??.??"]
[White "Reti, Richard"]
[Black "White draws"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"]

1. Kg7! {The king goes after both pawns at the same time.} h4 (1... Kb6 2. Kf6 h4 3. Ke5 h3 4. Kd6 h2 5.
c7) 2. Kf6 h3 (2... Kb6 3. Ke5! Kxc6 4. Kf4) 3. Ke7 (3. Ke6 {draws, too.}) 3... h2 4. c7 Kb7 5. Kd7
1/2-1/2

[Event "A game with a mistake in its text"]
[Site "?"]
[Date "2023.11.12"]
[White "Careless, Carl"]
[Black "Careful, Carla"]
[Result "0-1"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6 7. f4 Qb6 8. Qd2 Qxb2 9. Rb1 Qa3
10. Nd9 Be7 0-1
`;
